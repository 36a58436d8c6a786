"""The algorithms of the Processing toolbox: the same functions of core as the window and the command line."""
