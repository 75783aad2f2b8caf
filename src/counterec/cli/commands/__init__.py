"""The commands as they are typed: their options, their help, and which part of the command line does the work."""
