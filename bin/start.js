void import('../dist/cli/main.js')
