@echo off
rem Starts Multiplo from this kit on Windows, and hands its arguments on: Multiplo.bat simulate ...
rem It looks for a Python of the kit; program\start.py does the rest.
setlocal DisableDelayedExpansion
set "KIT=%~dp0"
set "FOUND="
for /f "usebackq delims=" %%v in ("%KIT%program\pythons.txt") do call :try_launcher %%v
for /d %%d in ("%LOCALAPPDATA%\Programs\Python\Python3*") do call :try_program "%%~d\python.exe"
for /d %%d in ("%ProgramFiles%\Python3*") do call :try_program "%%~d\python.exe"
call :try_program python
if defined FOUND goto start
chcp 65001 >nul
type "%KIT%program\no_python.txt"
if "%~1"=="" pause
exit /b 2

:start
%FOUND% "%KIT%program\start.py" %*
exit /b %ERRORLEVEL%

:try_launcher
if defined FOUND exit /b 0
py -%1 -I "%KIT%program\check_python.py" >nul 2>&1
if %ERRORLEVEL% equ 0 set "FOUND=py -%1"
exit /b 0

:try_program
if defined FOUND exit /b 0
"%~1" -I "%KIT%program\check_python.py" >nul 2>&1
if %ERRORLEVEL% equ 0 set FOUND="%~1"
exit /b 0
