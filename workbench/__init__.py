"""The Fast IGMN workbench: the application around the `figmn` library."""
