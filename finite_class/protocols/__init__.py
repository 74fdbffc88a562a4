"""FL routines for finite classes: one file each, offering build(instance) -> FLRoutine."""
