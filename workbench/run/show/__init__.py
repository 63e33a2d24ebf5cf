"""What a run shows of itself: frames, planes and points, and the mailbox they go through."""
