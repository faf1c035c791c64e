"""Kernels of signals: convolutional kernel networks and convolutional neural tangent kernels."""

from __future__ import annotations

from asymptok.learning.convolutional.kernel import ConvolutionalKernel, ckn, conv_ntk

__all__ = ["ConvolutionalKernel", "ckn", "conv_ntk"]
