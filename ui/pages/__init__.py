"""The six pages of the dock, one file each; `page` holds what they share."""
