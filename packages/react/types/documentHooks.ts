// For each hook of documents, files and functions what must compile and what must not; `types.test.ts` holds the list complete. Compiling is the test.

import {
  type Doc,
  defineQuery,
  op,
  pointer,
  type StoredFile,
  useDeleteDocument,
  useDocument,
  useDocumentCount,
  useDocumentPages,
  useDocuments,
  useFunction,
  useLiveDocuments,
  useRunFunction,
  useSaveDocument,
  useSubscription,
  useUpload,
} from '../src/index.ts'

export function useDocumentsTypes(): void {
  const { data } = useDocuments('Game', {
    where: { score: { $gt: 1 } },
    order: ['-score'],
    select: (rows) => rows.length,
  })
  data satisfies number | undefined
  // @ts-expect-error no such class
  useDocuments('Gmae')
}

export function useDocumentTypes(): void {
  useDocument('Game', 'x', { keys: ['title'] }).data?.title satisfies string | undefined
  // @ts-expect-error no such field
  useDocument('Game', 'x', { keys: ['titel'] })
}

export function useDocumentPagesTypes(): void {
  const { data, hasMore, loadMore } = useDocumentPages('Game', { order: ['-score'], limit: 20, include: ['owner'] })
  data?.[0]?.owner?.name satisfies string | undefined
  hasMore satisfies boolean
  void loadMore()
  // @ts-expect-error pages follow each other without it
  useDocumentPages('Game', { skip: 20 })
}

export function useDocumentCountTypes(): void {
  useDocumentCount('Game', { where: { title: 'Go' } }).data satisfies number | undefined
  // @ts-expect-error a number is not a text
  useDocumentCount('Game', { where: { title: 5 } })
}

export function useLiveDocumentsTypes(): void {
  useLiveDocuments('Game', { include: ['owner'] }).data?.[0]?.owner?.name satisfies string | undefined
  // @ts-expect-error a text leads nowhere
  useLiveDocuments('Game', { include: ['title'] })
}

export function useSubscriptionTypes(): void {
  useSubscription({ query: defineQuery('Game'), onCreate: (game) => game.title satisfies string })
    .status satisfies string
  // @ts-expect-error no such event
  useSubscription({ query: defineQuery('Game'), onCreated: () => undefined })
}

export function useSaveDocumentTypes(): void {
  const { create, save, data } = useSaveDocument('Game')
  data?.objectId satisfies string | undefined
  void create({ title: 'Go' }, { onSuccess: (game) => game satisfies Doc<'Game'> })
  void save(pointer('Game', 'x'), { score: op.increment(1) })
  // @ts-expect-error of another class
  void save(pointer('Team', 'x'), { score: 1 })
}

export function useDeleteDocumentTypes(): void {
  const { deleteDocument, error } = useDeleteDocument()
  if (error?.reason === 'objectNotFound') error.message satisfies string
  void deleteDocument(pointer('Game', 'x'))
  // @ts-expect-error an id says no class
  void deleteDocument('x')
}

export function useUploadTypes(): void {
  const { upload, progress, data } = useUpload()
  progress satisfies number
  data satisfies StoredFile | undefined
  void upload({ file: new Blob(['x']), name: 'x.txt' })
  // @ts-expect-error a path is no file
  void upload({ file: '/tmp/x' })
}

export function useFunctionTypes(): void {
  useFunction('averageStars', { movie: 'x' }).data?.average satisfies number | undefined
  // @ts-expect-error its input is needed
  useFunction('averageStars')
}

export function useRunFunctionTypes(): void {
  const { run, data } = useRunFunction('averageStars')
  data?.average satisfies number | undefined
  void run({ movie: 'x' })
  // @ts-expect-error a text is needed
  void run({ movie: 5 })
}
