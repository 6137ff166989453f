#pragma once

// Elementary functions with the same bits everywhere: they use only + − × ÷ √ on doubles (and integers), whose results
// IEEE 754 defines, while those of the system's libm depend on its version and on the processor. Errors are below one
// unit in the last place (docs/numerics.md); special cases are those of C's <cmath>.

namespace sinew::elementary {

template <class Real>
struct SineCosine {
  Real sin, cos;
};

double sin(double x);
double cos(double x);
/// Both, at little more than the price of one.
SineCosine<double> sin_cos(double x);
double tan(double x);
double asin(double x);
double acos(double x);
double atan(double x);
double atan2(double y, double x);

double exp(double x);
double log(double x);
double log2(double x);
double log10(double x);
double pow(double x, double y);
double sinh(double x);
double cosh(double x);
double tanh(double x);

double cbrt(double x);
double hypot(double x, double y);

}  // namespace sinew::elementary
