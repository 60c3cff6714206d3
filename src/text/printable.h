/* printable.h - a message with text from somebody's file in it stays one line that a terminal shows as
 * it is: control characters become '?'. */
#ifndef WARPLENS_TEXT_PRINTABLE_H
#define WARPLENS_TEXT_PRINTABLE_H

static inline void text_make_printable(char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7f)
            *text = '?';
}

#endif
