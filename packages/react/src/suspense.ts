export {
  type SuspenseOptions,
  type UseSuspense,
  useSuspenseDocument,
  useSuspenseDocumentCount,
  useSuspenseDocuments,
} from './hooks/documents/useSuspenseDocuments.ts'
