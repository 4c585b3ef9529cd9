"""Addresses of the pages of seasons and their rankings."""

from __future__ import annotations

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
