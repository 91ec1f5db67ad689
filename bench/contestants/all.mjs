import { betterAuth } from './betterAuth.mjs'
import { ceiling } from './ceiling.mjs'
import { countersign, countersignCached } from './countersign.mjs'
import { parseServer, parseServerCached } from './parseServer.mjs'

/** @type {import('../types.d.ts').Contestant[]} */
export const contestants = [countersign, countersignCached, parseServer, parseServerCached, betterAuth, ceiling]
