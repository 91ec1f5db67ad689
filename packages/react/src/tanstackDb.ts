export { type DocumentCollectionOptions, documentCollectionOptions } from './core/live/collectionOptions.ts'
