import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { request } from '../request.ts'
import { runAction } from '../runAction.ts'
import type { Found } from './Document.ts'
import type { FieldName, IncludePath, KeyPath, QueryOptions } from './QueryOptions.ts'
import type { ClassName } from './Register.ts'
import { readDocument } from './readDocument.ts'
import { writeQuery } from './writeQuery.ts'

export type GetOptions<Include extends string, Keys extends string, Left extends string> = Pick<
  QueryOptions<ClassName, Include, Keys, Left>,
  'include' | 'keys' | 'excludeKeys'
>

/**
 * An object by its id. One that is not there, or not for the present user, is error 101.
 *
 * @example
 * const game = await get(client, 'Game', 'xWMyZ4YEGZ', { include: ['owner'] })
 */
export function get<
  Name extends ClassName,
  const Include extends IncludePath<Name> = never,
  const Keys extends KeyPath<Name> = never,
  const Left extends FieldName<Name> = never,
>(
  client: Client,
  className: Name,
  objectId: string,
  options: GetOptions<Include, Keys, Left> = {},
  callbacks: Callbacks<Found<Name, Include, Keys, Left>> = {},
): Promise<Found<Name, Include, Keys, Left> | undefined> {
  return runAction(client, callbacks, async () => {
    const { include, keys, excludeKeys } = options
    const input = { ...writeQuery({ className, include, keys, excludeKeys }), objectId }
    return readDocument(className, await request(client, 'getObject', input, callbacks))
  })
}
