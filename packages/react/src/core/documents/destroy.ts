import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { loadWriting } from '../loadWriting.ts'
import { request } from '../request.ts'
import { runAction } from '../runAction.ts'
import type { Ref } from './Document.ts'

/**
 * Deletes an object, for good.
 *
 * @example
 * await destroy(client, game)
 */
export function destroy(client: Client, object: Ref, callbacks: Callbacks = {}): Promise<void> {
  return runAction(client, callbacks, async () => {
    const { className, objectId } = object
    const { settleSave } = await loadWriting()
    await request(client, 'deleteObject', { className, objectId }, callbacks)
    await settleSave(client, [{ className }])
  })
}
