import { readFileSync } from 'node:fs'

const manifest: { version: string } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

/** The version of this package. */
export const version = manifest.version

/** Supported version of the parse-server protocol: clients compare it with their own. */
export const protocolVersion = '9.10.0'
