#pragma once

/// Spark's running moments, in its own order of operations so that the last digits agree. A merge follows the
/// formulas that Spark uses for partial results. Thread rule: values, one thread each.

#include <cmath>

namespace weir::exec {

struct Moments {
  double n = 0, mean = 0, m2 = 0;

  void Add(double x) {
    const double delta = x - mean;
    const double delta_n = delta / (n += 1);
    mean += delta_n;
    m2 += delta * (delta - delta_n);
  }
  void Merge(const Moments& other) {
    const double both = n + other.n;
    const double delta = other.mean - mean;
    const double delta_n = both == 0 ? 0 : delta / both;
    mean += delta_n * other.n;
    m2 += other.m2 + delta * delta_n * n * other.n;
    n = both;
  }
};

struct Comoments {
  double n = 0, mean_x = 0, mean_y = 0, c = 0, m2_x = 0, m2_y = 0;

  void Add(double x, double y) {
    n += 1;
    const double dx = x - mean_x, dy = y - mean_y;
    mean_x += dx / n;
    mean_y += dy / n;
    c += dx * (y - mean_y);
    m2_x += dx * (x - mean_x);
    m2_y += dy * (y - mean_y);
  }
  void Merge(const Comoments& other) {
    const double both = n + other.n;
    const double dx = other.mean_x - mean_x, dy = other.mean_y - mean_y;
    const double dx_n = both == 0 ? 0 : dx / both, dy_n = both == 0 ? 0 : dy / both;
    mean_x += dx_n * other.n;
    mean_y += dy_n * other.n;
    c += other.c + dx * dy_n * n * other.n;
    m2_x += other.m2_x + dx * dx_n * n * other.n;
    m2_y += other.m2_y + dy * dy_n * n * other.n;
    n = both;
  }
};

}  // namespace weir::exec
