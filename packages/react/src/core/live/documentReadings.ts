import { createPages, type PagesReading } from '../documents/documentPages.ts'
import type { DocumentPages } from '../documents/findDocumentPage.ts'
import { countDocuments, findDocuments, type GetOptions, getDocument, writeQuery } from '../documents/findDocuments.ts'
import type { Query } from '../documents/Query.ts'
import { defineReading, defineSharedReading } from '../readings/defineReading.ts'
import { createLiveReading } from './createLiveReading.ts'

export const documentsReading = /*#__PURE__*/ defineSharedReading(
  (query: Query<string, unknown>) => ({ find: writeQuery(query) }),
  (client, query, options) => findDocuments(client, query, options),
)

export type DocumentQuestion = GetOptions<string, string, string> & {
  readonly className: string
  readonly objectId: string | undefined
}

export const documentReading = /*#__PURE__*/ defineSharedReading(
  ({ objectId, ...query }: DocumentQuestion) => ({ get: { ...writeQuery(query), objectId } }),
  (client, { className, objectId = '', ...rest }, options): Promise<unknown> =>
    getDocument(client, className, objectId, rest, options),
)

export const countReading = /*#__PURE__*/ defineSharedReading(
  ({ className, where, redirectClassNameForKey, maxStaleness }: Query<string, unknown>) => ({
    count: writeQuery({ className, where, redirectClassNameForKey, maxStaleness }),
  }),
  (client, query, options) => countDocuments(client, query, options),
)

export const liveReading = /*#__PURE__*/ defineReading<Query<string, unknown>, readonly unknown[]>(
  ({ maxStaleness: _, ...query }) => ({ live: writeQuery(query) }),
  ({ maxStaleness: _, ...query }, client) => createLiveReading(client, query),
)

export const pagesReading = /*#__PURE__*/ defineReading<
  Query<string, unknown>,
  DocumentPages<unknown>,
  PagesReading<unknown>
>(
  (query) => ({ pages: writeQuery(query) }),
  (query, client) => createPages(client, query),
)
