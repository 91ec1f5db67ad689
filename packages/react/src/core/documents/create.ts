import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { runAction } from '../runAction.ts'
import type { NewFields } from './Changes.ts'
import type { Document } from './Document.ts'
import type { ClassName } from './Register.ts'
import { sendSave } from './sendSave.ts'

/**
 * Makes an object. Without an `ACL` everyone may read and change it, unless the class says otherwise.
 *
 * @example
 * const game = await create(client, 'Game', { title: 'Chess', ACL: { '*': { read: true } } })
 */
export function create<Name extends ClassName>(
  client: Client,
  className: Name,
  fields: NewFields<Name>,
  callbacks: Callbacks<Document<Name>> = {},
): Promise<Document<Name> | undefined> {
  return runAction(client, callbacks, () => sendSave(client, { className, fields }, callbacks.signal))
}
