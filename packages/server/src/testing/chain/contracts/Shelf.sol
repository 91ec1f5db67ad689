// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// What calls from a page may meet: overloads, structures, several answers, payments, and every kind of refusal.
contract Shelf {
    struct Book {
        string title;
        uint64 pages;
    }

    uint256 public value;
    mapping(uint256 => Book) private books;

    error Refused(address who, uint256 limit);
    error TooLate();

    function set(uint256 to) external {
        value = to;
    }

    function set(uint256 to, bool twice) external {
        value = twice ? to * 2 : to;
    }

    function put(uint256 place, Book calldata book) external {
        books[place] = book;
    }

    function look(uint256 place) external view returns (Book memory book, address who) {
        return (books[place], msg.sender);
    }

    function sum(uint256[] calldata parts) external pure returns (uint256 total) {
        for (uint256 i = 0; i < parts.length; i++) total += parts[i];
    }

    function pay() external payable {
        value = msg.value;
    }

    function refuse(uint256 kind) external returns (bool) {
        if (kind == 0) revert("closed on Sundays");
        if (kind == 1) revert Refused(msg.sender, 5);
        if (kind == 2) revert TooLate();
        if (kind == 3) value = kind / value - value;
        if (kind == 4) revert();
        value = kind - 6;
        return true;
    }

    /// Works when it is tried out, and no longer once `value` has changed.
    function onlyAt(uint256 expected) external {
        require(value == expected, "too late");
        value = expected + 1;
    }
}
