"""Read recordings with their time: ``pyvista.get_reader("run.vtkhdf")``.

pyvista reads .vtkhdf by itself, but only the first step of it.  This reader is the same
with `pyvista.TimeReader` added: what `pyvista.read` returns stays what it was, for
recordings and for every other .vtkhdf file.
"""

import pyvista


class StepReader(pyvista.HDFReader, pyvista.TimeReader):
    """Read VTKHDF files, a step at a time.

    ``reader.set_active_time_point(k)`` or ``reader.set_active_time_value(t)``, then
    ``reader.read()``: blocks ``bodies`` and ``contacts`` of a recording as they were.
    A file without steps has one, at time 0.
    """

    @property
    def number_time_points(self) -> int:
        """How many steps there are, 1 at least."""
        self.reader.UpdateInformation()
        return max(1, int(self.reader.GetNumberOfSteps()))

    def time_point_value(self, time_point: int) -> float:
        """Return the time of a step, in the unit of the world's ``dt``."""
        return self.time_values[self._checked(time_point)]

    @property
    def time_values(self) -> list[float]:
        """The times of all steps."""
        self.reader.UpdateInformation()
        keys = pyvista._vtk.vtkStreamingDemandDrivenPipeline
        about = self.reader.GetOutputInformation(0)
        if not about.Has(keys.TIME_STEPS()):
            return [0.0] * self.number_time_points
        return [float(t) for t in about.Get(keys.TIME_STEPS())]

    @property
    def active_time_value(self) -> float:
        """The time of the step that is read."""
        return self.time_values[int(self.reader.GetStep())]

    def set_active_time_point(self, time_point: int) -> None:
        """Read this step from now on; ValueError if there is none."""
        self.reader.SetStep(self._checked(time_point))

    def set_active_time_value(self, time_value: float) -> None:
        """Read the step of exactly this time; ValueError if there is none."""
        times = self.time_values
        if time_value not in times:
            raise ValueError(
                f"no step has the time {time_value!r}; there are {len(times)}, from "
                f"{times[0]!r} to {times[-1]!r}"
            )
        self.set_active_time_point(times.index(time_value))

    def _checked(self, time_point: int) -> int:
        count = self.number_time_points
        if not 0 <= time_point < count:
            raise ValueError(
                f"there is no step {time_point}; the file has steps 0 to {count - 1}"
            )
        return int(time_point)
