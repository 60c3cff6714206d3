/* address_call.h - what a call in a program's code does to memory. */
#ifndef WARPLENS_MACHINE_CODE_ADDRESS_CALL_H
#define WARPLENS_MACHINE_CODE_ADDRESS_CALL_H

enum address_call { CALL_NOTHING, CALL_LOAD, CALL_STORE, CALL_OTHER };

#endif
