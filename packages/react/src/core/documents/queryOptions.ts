import type { CountersignError } from '@countersign/protocol'
import type { DataTag, InfiniteData, QueryClient } from '@tanstack/react-query'
import type { Client } from '../client/Client.ts'
import { readerOf } from '../readings/readerOf.ts'
import { whenReady } from '../readings/whenReady.ts'
import type { Changes, NewFields } from '../values/Changes.ts'
import type { Doc, Found, Ref } from '../values/Document.ts'
import type { ClassName } from '../values/Register.ts'
import { deleteDocument } from './deleteDocuments.ts'
import { type DocumentPage, findDocumentPage } from './findDocumentPage.ts'
import {
  type CountOptions,
  countDocuments,
  findDocuments,
  type GetOptions,
  getDocument,
  writeQuery,
} from './findDocuments.ts'
import { isAbout, onClassChange } from './invalidateDocuments.ts'
import type { FieldName, IncludePath, KeyPath, Query, QueryOptions } from './Query.ts'
import {
  type CloudFunctionInput,
  type CloudFunctionName,
  type CloudFunctionOutput,
  type InputOf,
  runFunction,
  writeCall,
} from './runFunction.ts'
import { createDocument, type Saved, saveDocument } from './saveDocuments.ts'

/** The first part of every key. */
const root = 'countersign'

/** `countersign`, the application, the kind of query, and the query. */
export type DocumentKey = readonly [root: typeof root, appId: string, kind: string, asked: object]

type Fetching = { readonly signal: AbortSignal; readonly client?: QueryClient }

/** Options for `useQuery`, `useSuspenseQuery`, `prefetchQuery` and similar. */
export type DocumentQueryOptions<Data> = {
  readonly queryKey: DataTag<DocumentKey, Data, CountersignError>
  readonly queryFn: (context: Fetching) => Promise<Data>
  /** A request is tried several times already, and a refusal stays one. */
  readonly retry: (count: number, error: CountersignError) => boolean
}

/** Options for `useInfiniteQuery` and similar. */
export type DocumentPagesOptions<Item> = {
  readonly queryKey: DataTag<DocumentKey, InfiniteData<DocumentPage<Item>, string | true>, CountersignError>
  readonly queryFn: (context: Fetching & { readonly pageParam: string | true }) => Promise<DocumentPage<Item>>
  readonly initialPageParam: string | true
  readonly getNextPageParam: (page: DocumentPage<Item>) => string | undefined
  readonly retry: (count: number, error: CountersignError) => boolean
}

/** Options for `useMutation`. */
export type DocumentMutationOptions<Input, Data> = {
  readonly mutationKey: readonly [root: typeof root, appId: string, kind: string]
  readonly mutationFn: (input: Input) => Promise<Data>
  readonly retry: (count: number, error: CountersignError) => boolean
}

/**
 * The documents that a query finds, for TanStack Query.
 *
 * @example
 * const { data: games } = useSuspenseQuery(documentsOptions(client, 'Game', { order: ['-score'], limit: 20 }))
 */
export function documentsOptions<
  Name extends ClassName,
  const Include extends IncludePath<Name> = never,
  const Keys extends KeyPath<Name> = never,
  const Left extends FieldName<Name> = never,
>(
  client: Client,
  className: Name,
  options?: QueryOptions<Name, Include, Keys, Left>,
): DocumentQueryOptions<readonly Found<Name, Include, Keys, Left>[]>

export function documentsOptions<Name extends ClassName, Item>(
  client: Client,
  query: Query<Name, Item>,
): DocumentQueryOptions<readonly Item[]>

export function documentsOptions(
  client: Client,
  given: string | Query<string, unknown>,
  options: QueryOptions = {},
): DocumentQueryOptions<readonly unknown[]> {
  const query = toQuery(given, options)
  return toOptions(client, 'documents', writeQuery(query), (signal) => findDocuments(client, query, { signal }))
}

/**
 * A document by its id, for TanStack Query.
 *
 * @example
 * const game = useQuery(documentOptions(client, 'Game', 'xWMyZ4YEGZ', { include: ['owner'] }))
 */
export function documentOptions<
  Name extends ClassName,
  const Include extends IncludePath<Name> = never,
  const Keys extends KeyPath<Name> = never,
  const Left extends FieldName<Name> = never,
>(
  client: Client,
  className: Name,
  objectId: string,
  options: GetOptions<Include, Keys, Left> = {},
): DocumentQueryOptions<Found<Name, Include, Keys, Left>> {
  const asked = { ...writeQuery({ ...options, className }), objectId }
  return toOptions(client, 'document', asked, (signal) => getDocument(client, className, objectId, options, { signal }))
}

/**
 * How many documents a query finds, for TanStack Query.
 *
 * @example
 * const total = useQuery(documentCountOptions(client, 'Game', { where: { score: { $gt: 5 } } }))
 */
export function documentCountOptions<Name extends ClassName>(
  client: Client,
  className: Name,
  { where, maxStaleness }: CountOptions<Name> = {},
): DocumentQueryOptions<number> {
  const query: Query<Name> = { className, where, maxStaleness }
  return toOptions(client, 'count', writeQuery(query), (signal) => countDocuments(client, query, { signal }))
}

/**
 * Results of a query, page by page with `limit` documents each, for `useInfiniteQuery`.
 *
 * @example
 * const games = useInfiniteQuery(documentPagesOptions(client, 'Game', { order: ['-score'], limit: 20 }))
 * const rows = games.data?.pages.flatMap((page) => page.items) ?? []
 */
export function documentPagesOptions<
  Name extends ClassName,
  const Include extends IncludePath<Name> = never,
  const Keys extends KeyPath<Name> = never,
  const Left extends FieldName<Name> = never,
>(
  client: Client,
  className: Name,
  options?: Omit<QueryOptions<Name, Include, Keys, Left>, 'skip'>,
): DocumentPagesOptions<Found<Name, Include, Keys, Left>>

export function documentPagesOptions<Name extends ClassName, Item>(
  client: Client,
  query: Query<Name, Item>,
): DocumentPagesOptions<Item>

export function documentPagesOptions(
  client: Client,
  given: string | Query<string, unknown>,
  options: QueryOptions = {},
): object {
  const query = toQuery(given, options)
  const made: DocumentPagesOptions<unknown> = {
    queryKey: toKey(client, 'pages', writeQuery(query)),
    async queryFn({ pageParam, signal, client: queryClient }) {
      await prepare(client, signal, queryClient)
      return findDocumentPage(client, query, { cursor: pageParam, signal })
    },
    initialPageParam: true,
    getNextPageParam: (page) => page.cursor,
    retry,
  }
  return made
}

/**
 * Result of an application function, for functions that read.
 *
 * @example
 * const stars = useQuery(functionOptions(client, 'averageStars', { movie: 'The Matrix' }))
 */
export function functionOptions<Name extends CloudFunctionName>(
  client: Client,
  name: Name,
  ...input: InputOf<Name>
): DocumentQueryOptions<CloudFunctionOutput<Name>> {
  const call = runFunction as (...given: readonly unknown[]) => Promise<CloudFunctionOutput<Name>>
  const asked = writeCall(name, input[0] as object | undefined)
  return toOptions(client, 'function', asked, (signal) => call(client, name, input[0], { signal }))
}

/**
 * Runs a function of the application, for `useMutation`.
 *
 * @example
 * const claim = useMutation(runFunctionOptions(client, 'claimReward'))
 * claim.mutate({ quest: 'first steps' })
 */
export function runFunctionOptions<Name extends CloudFunctionName>(
  client: Client,
  name: Name,
): DocumentMutationOptions<CloudFunctionInput<Name>, CloudFunctionOutput<Name>> {
  const call = runFunction as (...given: readonly unknown[]) => Promise<CloudFunctionOutput<Name>>
  return toMutation(client, 'runFunction', (input) => call(client, name, input))
}

/**
 * Creates documents of a class, for `useMutation`.
 *
 * @example
 * const create = useMutation(createDocumentOptions(client, 'Game'))
 * create.mutate({ title: 'Chess' })
 */
export function createDocumentOptions<Name extends ClassName>(
  client: Client,
  className: Name,
): DocumentMutationOptions<NewFields<Name>, Doc<Name>> {
  return toMutation(client, 'create', (fields) => createDocument(client, className, fields))
}

/**
 * Changes documents of a class, for `useMutation`.
 *
 * @example
 * const save = useMutation(saveDocumentOptions(client, 'Game'))
 * save.mutate({ document: game, changes: { score: op.increment(1) } })
 */
export function saveDocumentOptions<Name extends ClassName>(
  client: Client,
  _className: Name,
): DocumentMutationOptions<{ readonly document: Ref<Name>; readonly changes: Changes<Name> }, Saved<Ref<Name>>> {
  return toMutation(client, 'save', ({ document, changes }) => saveDocument(client, document, changes))
}

/**
 * Deletes documents, for `useMutation`.
 *
 * @example
 * const remove = useMutation(deleteDocumentOptions(client))
 * remove.mutate(game)
 */
export function deleteDocumentOptions(client: Client): DocumentMutationOptions<Ref, void> {
  return toMutation(client, 'delete', (document) => deleteDocument(client, document))
}

/**
 * Keeps a query client current: after a save or a delete by this client it refreshes queries of the class, and when the
 * user changes or signs out it drops and reads everything again. Queries do so from their first reading on. Returns its
 * own unsubscribe.
 *
 * @example
 * const stop = syncQueryClient(client, queryClient)
 */
export function syncQueryClient(
  client: Client,
  queryClient: Pick<QueryClient, 'invalidateQueries' | 'resetQueries'>,
): () => void {
  const { internal } = client
  const known = internal.syncs ?? new Map<object, () => void>()
  internal.syncs = known
  const running = known.get(queryClient)
  if (running) return running
  const queryKey = [root, appOf(client)]
  let reader = readerOf(client)
  const stops = [
    onClassChange(client, (className) => {
      void queryClient.invalidateQueries({
        queryKey,
        predicate: ({ queryKey: [, , , asked], state }) => isAbout(className, asked, state.data),
      })
    }),
    client.session.subscribe(() => {
      const present = readerOf(client)
      if (present === reader) return
      const former = reader
      reader = present
      // Also while the next user is unknown: data of one user is never shown to another.
      if (former !== undefined) void queryClient.resetQueries({ queryKey })
    }),
  ]
  const stop = () => {
    for (const end of stops) end()
    known.delete(queryClient)
  }
  known.set(queryClient, stop)
  return stop
}

function toQuery(given: string | Query<string, unknown>, options: QueryOptions): Query<string, unknown> {
  return typeof given === 'string' ? { ...options, className: given } : given
}

function appOf({ internal }: Client): string {
  return internal.options.appId ?? internal.connection?.appId ?? ''
}

function toKey<Data>(client: Client, kind: string, asked: object): DataTag<DocumentKey, Data, CountersignError> {
  return [root, appOf(client), kind, asked] as unknown as DataTag<DocumentKey, Data, CountersignError>
}

function retry(): boolean {
  return false
}

async function prepare(client: Client, signal: AbortSignal, queryClient: QueryClient | undefined): Promise<void> {
  await whenReady(client, signal)
  if (queryClient) syncQueryClient(client, queryClient)
}

function toOptions<Data>(
  client: Client,
  kind: string,
  asked: object,
  read: (signal: AbortSignal) => Promise<Data>,
): DocumentQueryOptions<Data> {
  return {
    queryKey: toKey(client, kind, asked),
    async queryFn({ signal, client: queryClient }) {
      await prepare(client, signal, queryClient)
      return read(signal)
    },
    retry,
  }
}

function toMutation<Input, Data>(
  client: Client,
  kind: string,
  mutationFn: (input: Input) => Promise<Data>,
): DocumentMutationOptions<Input, Data> {
  return { mutationKey: [root, appOf(client), kind], mutationFn, retry }
}
