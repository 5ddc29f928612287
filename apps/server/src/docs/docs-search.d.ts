import type MiniSearch from 'minisearch'

/** A part of a page under one heading. */
export type Section = { id: number; path: string; page: string; heading: string; text: string }
export type Result = Omit<Section, 'id' | 'text'> & { excerpt: string }

/** Index the sections, and return a search for words that finds the best sections first. */
export function createDocSearch(library: typeof MiniSearch, sections: readonly Section[]): (words: string) => Result[]
