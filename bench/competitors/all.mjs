import { betterAuth } from './betterAuth.mjs'
import { ceiling } from './ceiling.mjs'
import { countersign, countersignUncached } from './countersign.mjs'
import { floor } from './floor.mjs'
import { parseServer, parseServerUncached } from './parseServer.mjs'

/** @type {import('../types.d.ts').Competitor[]} */
export const competitors = [
  countersign,
  countersignUncached,
  parseServer,
  parseServerUncached,
  betterAuth,
  ceiling,
  floor,
]
