"""One engine on a stream: the learner, its thread, its log and history."""
