import type { WireChanges, WireFields } from '@countersign/protocol'
import type { Client } from '../client/Client.ts'
import { type ActionOptions, runAction } from '../client/runAction.ts'
import { ValidationError } from '../errors/errors.ts'
import type { AnySaveInput, Changes, NewFields, SaveInput } from '../values/Changes.ts'
import type { Doc, Ref } from '../values/Document.ts'
import { encode } from '../values/encode.ts'
import type { FieldValue } from '../values/FieldValue.ts'
import type { ClassName } from '../values/Register.ts'
import { loadWriting } from './loadWriting.ts'
import type { BatchOptions, EncodedInput, Optimistic } from './SaveOptions.ts'
import type { Outcome } from './sendBatch.ts'

/**
 * Makes an object. Without an `ACL` everyone may read and change it, unless the class says otherwise.
 *
 * @example
 * const game = await createDocument(client, 'Game', { title: 'Chess', ACL: { '*': { read: true } } })
 */
export function createDocument<Name extends ClassName>(
  client: Client,
  className: Name,
  fields: NewFields<Name>,
  { signal, optimistic }: ActionOptions & Optimistic = {},
): Promise<Doc<Name>> {
  return runAction(client, () => sendSave(client, { className, fields }, signal, optimistic))
}

/** The object after a save. For a pointer, only the sent and returned fields are known. */
export type Saved<Target extends Ref> = Target extends { readonly __type: 'Object' }
  ? Target
  : Target['className'] extends ClassName
    ? Ref<Target['className']> & Partial<Doc<Target['className']>>
    : Ref

/**
 * Changes an object: new values, or operations such as `increment(1)`. Of an object that was read only the fields that
 * differ are sent, and nothing if none does.
 *
 * @example
 * const changed = await saveDocument(client, game, { title: 'Go', score: op.increment(1), tags: op.addUnique('board') })
 */
export function saveDocument<Name extends ClassName, Target extends Ref<Name>>(
  client: Client,
  object: Target & Ref<Name>,
  changes: Changes<Name>,
  { signal, optimistic }: ActionOptions & Optimistic = {},
): Promise<Saved<Target>> {
  return runAction(client, () => sendSave(client, { object, changes }, signal, optimistic))
}

/**
 * Makes and changes many objects, 20 a request. Each has an outcome of its own, in the order given.
 *
 * @example
 * const outcomes = await saveDocuments(client, [
 *   { className: 'Game', fields: { title: 'Go' } },
 *   { object: game, changes: { score: op.increment(1) } },
 * ])
 */
export function saveDocuments<Name extends ClassName>(
  client: Client,
  inputs: readonly SaveInput<Name>[],
  { transaction }: BatchOptions = {},
  { signal }: ActionOptions = {},
): Promise<readonly Outcome<Doc<Name>>[]> {
  return runAction(client, async () => {
    const encoded = inputs.map((input) => encodeInput(input as AnySaveInput))
    const { writeMany } = await loadWriting()
    const outcomes = await writeMany(client, inputs as readonly AnySaveInput[], encoded, {
      transaction,
      signal: signal,
    })
    return outcomes as readonly Outcome<Doc<Name>>[]
  })
}

/** Creates or changes one object. */
export async function sendSave<Item>(
  client: Client,
  input: AnySaveInput,
  signal?: AbortSignal,
  optimistic = false,
): Promise<Item> {
  const encoded = encodeInput(input)
  const { writeOne } = await loadWriting()
  return writeOne<Item>(client, input, encoded, { signal, optimistic })
}

/** Fields that the server alone sets; they come along when an application hands a whole snapshot back. */
const fixed = new Set(['objectId', 'createdAt', 'updatedAt', 'className', '__type'])

/** Encodes the input at the call: an application may change its object afterwards. */
function encodeInput(input: AnySaveInput): EncodedInput {
  return encodeFields('fields' in input ? input.fields : input.changes)
}

/** Encodes fields for the wire; `undefined` is left out. */
function encodeFields(fields: object): WireFields & WireChanges {
  const entries = Object.entries(fields).filter(([name, value]) => value !== undefined && !fixed.has(name))
  for (const [name] of entries) {
    // In a body such names are not fields: `_method` makes another request of it, `_SessionToken` another sender.
    if (name.startsWith('_')) {
      throw new ValidationError(`A field cannot be called ${name}.`, 'Field names must start with a letter.')
    }
  }
  return Object.fromEntries(entries.map(([name, value]) => [name, encode(value as FieldValue, name)]))
}
