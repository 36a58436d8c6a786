"""What a person can do about a finding, and the page where it is done, by the finding's code."""

from __future__ import annotations

from qgis.PyQt.QtCore import QCoreApplication

translate = QCoreApplication.translate


def page_of(code: str) -> str:
    """The page that settles a finding."""
    return _PAGES.get(code, "layers")


_PAGES = {
    **dict.fromkeys(("V-01", "V-02", "V-03", "V-04", "V-05", "V-06", "V-07", "V-41"), "boundary"),
    **dict.fromkeys(("V-08", "V-13", "V-31"), "voters"),
    **dict.fromkeys(("V-14", "V-15", "V-16", "V-17", "V-18", "V-21", "V-28", "V-34", "V-48"), "owners"),
    **dict.fromkeys(("V-24", "V-38", "V-39", "V-40", "V-42", "V-43", "V-46"), "parcels"),
    **dict.fromkeys(
        ("V-09", "V-10", "V-11", "V-12", "V-19", "V-20", "V-22", "V-25", "V-26", "V-27", "V-29", "V-30", "V-44"),
        "packet",
    ),
}


def remedy(code: str) -> str:
    """One short sentence that says what to do."""
    return _texts().get(code, translate("Remedies", "Read the finding and correct the input it names"))


def _texts() -> dict[str, str]:
    return {
        "V-01": translate("Remedies", "Describe the course by streets, waters or metes and bounds"),
        "V-02": translate("Remedies", "Mend the polygon, or state why it has parts or holes"),
        "V-03": translate("Remedies", "Allege another ground of area, or move the boundary"),
        "V-04": translate("Remedies", "Make the territory smaller, or allege another ground of area"),
        "V-05": translate("Remedies", "Move the boundary out of the city or village"),
        "V-06": translate("Remedies", "Keep to districts of one town"),
        "V-07": translate("Remedies", "Settle with the pending incorporation or annexation first"),
        "V-08": translate("Remedies", "Complete the list of inhabitants, or take in more ground"),
        "V-09": translate("Remedies", "Name one to three designees, most of them residents"),
        "V-10": translate("Remedies", "Allege the same basis on the petition and on every page"),
        "V-11": translate("Remedies", "Choose a basis that the edition has, or the edition that applies"),
        "V-12": translate("Remedies", "Add the exhibit before the signature pages"),
        "V-13": translate("Remedies", "Check name, address and parcel in the list of inhabitants"),
        "V-14": translate("Remedies", "Match the name with an owner or a voter, or strike the line"),
        "V-15": translate("Remedies", "Check that both lines are the same person"),
        "V-16": translate("Remedies", "Complete name, address and town of the line"),
        "V-17": translate("Remedies", "Correct the credited value on the signature page"),
        "V-18": translate("Remedies", "Name all owners of the parcel in the table of owners"),
        "V-19": translate("Remedies", "Complete the witness's affidavit of the page"),
        "V-20": translate("Remedies", "Take the signature again after the exhibits were final"),
        "V-21": translate("Remedies", "Get signatures: Owners page"),
        "V-22": translate("Remedies", "Get the certificate of the town's assessor"),
        "V-23": translate("Remedies", "Use the last completed roll and its final rate"),
        "V-24": translate("Remedies", "Ask the assessor to confirm it"),
        "V-25": translate("Remedies", "Let counsel decide; both results stand side by side"),
        "V-26": translate("Remedies", "File a copy and a deposit for every town"),
        "V-27": translate("Remedies", "File with the town that has the greatest area"),
        "V-28": translate("Remedies", "Show the authority of the person who signed"),
        "V-29": translate("Remedies", "Submit the study and keep it public for 90 days"),
        "V-30": translate("Remedies", "Watch the dates of notice, hearing and decision"),
        "V-31": translate("Remedies", "Count against qualified voters"),
        "V-32": translate("Remedies", "Check the SWIS of the parcel, or the town line"),
        "V-33": translate("Remedies", "Check the town polygons along the boundary"),
        "V-34": translate("Remedies", "Find out the persons behind the name"),
        "V-35": translate("Remedies", "Check the lot line between the two parcels"),
        "V-36": translate("Remedies", "Give the polygon its SWIS and print key"),
        "V-37": translate("Remedies", "Correct the key in the table, or take the row out"),
        "V-38": translate("Remedies", "Mend the polygon, or enter the assessor's figure"),
        "V-39": translate("Remedies", "Enter the assessed value, or the assessor's figure"),
        "V-40": translate("Remedies", "Compare the rows of this key with the roll"),
        "V-41": translate("Remedies", "Read how narrow the piece is; widen the line or leave it"),
        "V-42": translate("Remedies", "Check that each unit has its own value"),
        "V-43": translate("Remedies", "Check the land value of the parcel in the roll"),
        "V-44": translate("Remedies", "Check edition and date of filing: Packet page"),
        "V-45": translate("Remedies", "Nothing to do: it shows each piece of the town"),
        "V-46": translate("Remedies", "Check on which side the building stands"),
        "V-47": translate("Remedies", "Nothing to do unless the town belongs here"),
        "V-48": translate("Remedies", "Compare the deed with the roll"),
    }
