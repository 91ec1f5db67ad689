export {
  type SuspenseOptions,
  type UseSuspense,
  useSuspenseAll,
  useSuspenseDocument,
  useSuspenseDocumentCount,
  useSuspenseDocuments,
} from './hooks/documents/useSuspenseDocuments.ts'
