import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { runAction } from '../runAction.ts'
import type { Changes } from './Changes.ts'
import type { Document, Ref } from './Document.ts'
import type { ClassName } from './Register.ts'
import { sendSave } from './sendSave.ts'

/** The object after a save. Of one that was only named by a pointer no more is known than was sent and answered. */
export type Saved<Target extends Ref> = Target extends { readonly __type: 'Object' }
  ? Target
  : Target['className'] extends ClassName
    ? Ref<Target['className']> & Partial<Document<Target['className']>>
    : Ref

/**
 * Changes an object: new values, or operations such as `increment(1)`. Of an object that was read only the fields that
 * differ are sent, and nothing if none does.
 *
 * @example
 * const changed = await save(client, game, { title: 'Go', score: increment(1), tags: addUnique('board') })
 */
export function save<Name extends ClassName, Target extends Ref<Name>>(
  client: Client,
  object: Target & Ref<Name>,
  changes: Changes<Name>,
  callbacks: Callbacks<Saved<Target>> = {},
): Promise<Saved<Target> | undefined> {
  return runAction(client, callbacks, () => sendSave(client, { object, changes }, callbacks.signal))
}
