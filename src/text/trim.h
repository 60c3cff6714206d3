/* trim.h - text without the blanks around it. */
#ifndef WARPLENS_TEXT_TRIM_H
#define WARPLENS_TEXT_TRIM_H

/* The text without the blanks at both ends: cuts it, and returns where it begins now. */
char *text_trim(char *text);

#endif
