"""A rough hand: seeded random actions on the real window, watched for crashes, errors, stalls and leaks.

    xvfb-run -a python -m tests.workbench.monkey --seed 1 --actions 2000

The same seed repeats the same choices, as far as the timing of the threads permits. Nothing outside of a temporary
folder is written.
"""
