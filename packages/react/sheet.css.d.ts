// A stylesheet has no exports; this lets TypeScript find it where imports for effect are checked.
export {}
