"""Output of a run: frames, planes and points, and the mailbox that carries them."""
