#error "a folder of the toolkit"
