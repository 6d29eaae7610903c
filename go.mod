module zevaka

go 1.26
