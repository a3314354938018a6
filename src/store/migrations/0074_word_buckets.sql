-- Messages get the words of their buckets beside their own (store/search.ts, 4): the worker computes all words anew.
truncate message_words, search_marks;
