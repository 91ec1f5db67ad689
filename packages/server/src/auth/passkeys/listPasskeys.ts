import type { PasskeyRecord } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { needSession } from '../../users/needSession.ts'
import { encodePasskey } from './encodePasskey.ts'
import { findPasskeys } from './findPasskeys.ts'

/** The caller's passkeys, the oldest first. */
export async function listPasskeys(context: Context, caller: Caller): Promise<{ results: PasskeyRecord[] }> {
  const rows = await findPasskeys(context, needSession(caller).userId)
  return { results: rows.map(encodePasskey) }
}
