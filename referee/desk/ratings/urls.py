"""Addresses of the pages of ratings and files for federations."""

from __future__ import annotations

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
