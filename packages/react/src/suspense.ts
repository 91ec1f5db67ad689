export {
  type SuspenseOptions,
  type UseSuspense,
  useSuspenseDocument,
  useSuspenseDocumentCount,
  useSuspenseDocuments,
} from './hooks/useSuspenseDocuments.ts'
