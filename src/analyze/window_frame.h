#pragma once

/// Frames of window functions: Spark's defaults, types of bounds, and mistakes. Thread rule: one thread.

#include "analyze/scope.h"

namespace weir::analyze {

/// The frame of a window function whose call, partition and order are known: what the statement says, the one
/// that the function needs, or Spark's default. Bounds are computed; a bound of RANGE has the type that is
/// added to the sort key: its own type, days as int for dates, an interval for instants.
/// Errors: DATATYPE_MISMATCH.SPECIFIED_WINDOW_FRAME_*, .RANGE_FRAME_*, and Spark's nameless conditions for
/// functions with an order or a frame of their own.
Result<WindowFrame> FrameOf(const unresolved::WindowSpec& spec, const WindowCall& window, const Names& names,
                            Context& context);

/// lag and lead beside a frame that is not theirs.
Error OffsetFrameMismatch(std::string_view function);

}  // namespace weir::analyze
