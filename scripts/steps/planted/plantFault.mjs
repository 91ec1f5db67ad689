// Loaded by `node --import`: one text of one module of the server is another one, as if a developer had written it.
// PLANTED_FAULT has the module, the text, and its replacement.
import fs from 'node:fs'
import { register, syncBuiltinESMExports } from 'node:module'
import { isOf, plant } from './replaceText.mjs'

const fault = JSON.parse(process.env.PLANTED_FAULT ?? '')
register('./replaceText.mjs', import.meta.url, { data: fault })

// The TypeScript loader reads imported modules with this function.
const { readFileSync } = fs
fs.readFileSync = /** @type {typeof readFileSync} */ (
  (path, options) => {
    const content = readFileSync(path, options)
    return isOf(fault, String(path)) && typeof content === 'string' ? plant(fault, content) : content
  }
)
syncBuiltinESMExports()
