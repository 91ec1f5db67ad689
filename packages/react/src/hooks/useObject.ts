import type { Found } from '../core/documents/Document.ts'
import { type GetOptions, get } from '../core/documents/get.ts'
import { getDocumentReading } from '../core/documents/getDocumentReading.ts'
import type { FieldName, IncludePath, KeyPath } from '../core/documents/QueryOptions.ts'
import type { ClassName } from '../core/documents/Register.ts'
import { writeQuery } from '../core/documents/writeQuery.ts'
import { useClient } from './useClient.ts'
import { type ReadOptions, type UseDocumentReading, useDocumentReading } from './useDocumentReading.ts'

/**
 * An object by its id; nothing is read while there is none. It is read again after a save that may have changed it.
 *
 * @example
 * const game = useObject('Game', 'xWMyZ4YEGZ', { include: ['owner'] })
 * if (game.status === 'success') return <h1>{game.data.title}</h1>
 */
export function useObject<
  Name extends ClassName,
  const Include extends IncludePath<Name> = never,
  const Keys extends KeyPath<Name> = never,
  const Left extends FieldName<Name> = never,
>(
  className: Name,
  objectId: string | undefined,
  options: GetOptions<Include, Keys, Left> & ReadOptions = {},
): UseDocumentReading<Found<Name, Include, Keys, Left>> {
  const client = useClient()
  const { include, keys, excludeKeys, enabled = true, keepPrevious } = options
  const reading = getDocumentReading<Found<Name, Include, Keys, Left>>(
    client,
    () => ({ get: { ...writeQuery({ className, include, keys, excludeKeys }), objectId } }),
    (client, callbacks) => get(client, className, objectId ?? '', options, callbacks),
  )
  return useDocumentReading(client, reading, { enabled: enabled && objectId !== undefined, keepPrevious })
}
