// A separate module: Metro's transformer does not support `export * as`, and a file that only re-exports, as the
// entries do, lets a bundler drop unused parts.
import * as op from './op.ts'
import * as where from './where.ts'

export { op, where }
