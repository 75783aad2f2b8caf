"""The sections of the report, one file each: from the inputs to a section."""
