// As names of a module of their own: Metro's transformer does not know `export * as`, and a file that only passes others
// on, as the entries do, lets a bundler leave out what nobody asks for.
import * as op from './op.ts'
import * as where from './where.ts'

export { op, where }
