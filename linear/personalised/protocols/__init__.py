"""FL routines for partially shared parameters: one file each, offering build(instance) -> FLRoutine."""
