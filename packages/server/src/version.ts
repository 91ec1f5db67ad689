import { readFileSync } from 'node:fs'

const manifest: { version: string } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

/** The version of this package. */
export const version = manifest.version

/** The version of parse-server whose protocol is spoken: clients compare it with those that they support. */
export const protocolVersion = '9.10.0'
