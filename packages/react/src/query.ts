export { onClassChange } from './core/documents/invalidateDocuments.ts'
export {
  createDocumentOptions,
  type DocumentKey,
  type DocumentMutationOptions,
  type DocumentPagesOptions,
  type DocumentQueryOptions,
  deleteDocumentOptions,
  documentCountOptions,
  documentOptions,
  documentPagesOptions,
  documentsOptions,
  functionOptions,
  runFunctionOptions,
  saveDocumentOptions,
  syncQueryClient,
} from './core/documents/queryOptions.ts'
