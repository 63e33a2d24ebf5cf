"""Numbers, durations, factors, sizes, counts, machine lines and tables as text, each in one place.

Views, exports and the command line use it; it imports neither Qt nor any other room.
"""
